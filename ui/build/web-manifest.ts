import type { FindColour } from "./palette.ts";

/** Returns the template of /site.webmanifest; the server fills in the site's name. */
export function webManifest(colour: FindColour) {
  return `{
  "name": {{ site.name | tojson }},
  "short_name": {{ site.name | tojson }},
  "lang": "de",
  "start_url": "/",
  "display": "browser",
  "background_color": "${colour("--paper")}",
  "theme_color": "${colour("--harbour")}",
  "icons": [
    { "src": "/icon-192.png", "sizes": "192x192", "type": "image/png" },
    { "src": "/icon-512.png", "sizes": "512x512", "type": "image/png" },
    { "src": "/icon-maskable-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable" }
  ]
}
`;
}
