import { startUpload } from "./private/photo-upload.ts";

/* The script of the visitor's private page. Without it the form for photos is sent as it is. */
const form = document.querySelector<HTMLFormElement>("form[data-upload]");
if (form) startUpload(form);
