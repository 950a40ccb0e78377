/** The template of /site.webmanifest; the server fills in the site's name. */
export function webManifest() {
  return `{
  "name": {{ site.name | tojson }},
  "short_name": {{ site.name | tojson }},
  "lang": "de",
  "start_url": "/",
  "display": "browser",
  "background_color": "#f2f5f5",
  "theme_color": "#0d3550",
  "icons": [
    { "src": "/icon-192.png", "sizes": "192x192", "type": "image/png" },
    { "src": "/icon-512.png", "sizes": "512x512", "type": "image/png" },
    { "src": "/icon-maskable-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable" }
  ]
}
`;
}
