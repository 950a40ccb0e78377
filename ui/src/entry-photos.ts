import { startUpload } from "./private/photo-upload.ts";

/* The script of the visitor's private page. Without it the browser itself submits the form for photos. */
const form = document.querySelector<HTMLFormElement>("form[data-upload]");
if (form) startUpload(form);
