export { SectionHeading } from "../components/section-heading.tsx";
