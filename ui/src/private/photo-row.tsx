import type { ReactNode } from "react";
import { Each, slot } from "../template/template.tsx";

/** Shows the small photos in a row, each linked to the large one, with `children` below. */
export function PhotoRow({ children }: { children?: ReactNode }) {
  return (
    <ul className="photo-row">
      <Each entry="photo" list="photos">
        <li className="photo-item">
          <a href={slot("photo.link")}>
            {/* Lazy, because React would preload eager ones from the top of the page. */}
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
