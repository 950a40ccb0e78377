import type { ReactNode } from "react";
import { Each, slot } from "../template/template.tsx";

/** Shows the small photos in a row, each a link to the large one; `children` is below each. */
export function PhotoRow({ children }: { children?: ReactNode }) {
  return (
    <ul className="photo-row">
      <Each entry="photo" list="photos">
        <li className="photo-item">
          <a href={slot("photo.link")}>
            {/* Not lazy ones React would have loaded ahead, from the top of the page. */}
            <img
              className="photo-picture"
              src={slot("photo.small")}
              alt={`Foto ${slot("photo.place")} groß ansehen`}
              loading="lazy"
            />
          </a>
          {children}
        </li>
      </Each>
    </ul>
  );
}
