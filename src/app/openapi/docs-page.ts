import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** The directory with Swagger UI's files. */
export const UI_FOLDER = dirname(
  createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'),
);

const SCRIPT = 'swagger-ui-bundle.js';
const STYLE = 'swagger-ui.css';
const ICON = 'favicon-32x32.png';

export const START_SCRIPT = 'start.js';

/**
 * Returns the script that starts Swagger UI. It is a separate file, because the security policy of the page forbids
 * inline scripts. `subPath` is the path of the service (docs/decisions/0064).
 */
export const startScript = (subPath: string): string => `SwaggerUIBundle({
  url: '${subPath}/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/** The names of the files that the API page loads. Other files of the `swagger-ui-dist` package are not served. */
export const ASSETS: readonly string[] = [SCRIPT, STYLE, ICON, START_SCRIPT];

/** The Content-Security-Policy of the API page. It allows `data:` images, because Swagger UI embeds its icons. */
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

export const pageHtml = (subPath: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Satchel API</title>
    <link rel="stylesheet" href="${subPath}/docs/${STYLE}" />
    <link rel="icon" type="image/png" href="${subPath}/docs/${ICON}" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${subPath}/docs/${SCRIPT}"></script>
    <script src="${subPath}/docs/${START_SCRIPT}"></script>
  </body>
</html>
`;
