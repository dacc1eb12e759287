import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Where the files of Swagger UI lie on this machine. */
export const UI_FOLDER = dirname(
  createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'),
);

const SCRIPT = 'swagger-ui-bundle.js';
const STYLE = 'swagger-ui.css';
const ICON = 'favicon-32x32.png';

/** A file of its own: the page allows no script inside. */
export const START_SCRIPT = {
  name: 'start.js',
  text: `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`,
} as const;

/** The files of the page; nothing else of the package is served. */
export const ASSETS: readonly string[] = [SCRIPT, STYLE, ICON, START_SCRIPT.name];

/** Swagger UI has its icons as data. */
export const PAGE_POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join(';');

export const PAGE_HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Satchel API</title>
    <link rel="stylesheet" href="/docs/${STYLE}" />
    <link rel="icon" type="image/png" href="/docs/${ICON}" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/${SCRIPT}"></script>
    <script src="/docs/${START_SCRIPT.name}"></script>
  </body>
</html>
`;
