import { createRequire } from 'node:module';
import { dirname } from 'node:path';

import { Controller, Get, NotFoundException, Param, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Describes, type Operation } from '../../platform/common/openapi.js';
import { Config } from '../../platform/config/config.js';
import { Public } from '../../platform/http/public.js';
import { subPathOf } from '../../platform/http/sub-path.js';
import { ApiDocument } from './api-document.js';

type Facts = Pick<Operation, 'id' | 'summary' | 'description' | 'answer'> & Partial<Operation>;

const operation = (facts: Facts): Operation => ({
  tag: 'Service',
  security: [],
  errors: [],
  dialect: 'account',
  ...facts,
});

const POLICY_HEADER = {
  'Content-Security-Policy': {
    description: 'Restricts the page to resources of this service.',
    schema: { type: 'string' },
  },
} as const;

const DOCUMENT = operation({
  id: 'openapi',
  summary: 'Get the API document',
  description: 'Returns the API document in OpenAPI 3.1, for programs.',
  answer: {
    status: 200,
    description: 'The OpenAPI document.',
    content: {
      'application/json': {
        type: 'object',
        properties: { openapi: { type: 'string', pattern: String.raw`^3\.1\.` } },
        required: ['openapi', 'info', 'paths', 'components'],
        additionalProperties: true,
      },
    },
  },
});

const PAGE = operation({
  id: 'docs',
  summary: 'View the API documentation',
  description:
    'Returns a web page that shows the API document and can send calls. The page loads no resources from other servers.',
  answer: {
    status: 200,
    description: 'The web page.',
    content: { 'text/html': { type: 'string' } },
    headers: POLICY_HEADER,
  },
});

/** Describes the endpoint that serves the files of the API page. `names` are the names of the files. */
const assetOperation = (names: readonly string[]): Operation =>
  operation({
    id: 'docs.asset',
    summary: 'Get a file of the API documentation',
    description: 'Returns a script, the style sheet or the icon of the web page.',
    pathParameters: {
      asset: { type: 'string', enum: [...names], description: 'The name of the file.' },
    },
    answer: {
      status: 200,
      description: 'The file.',
      content: {
        'text/javascript': { type: 'string' },
        'text/css': { type: 'string' },
        'image/png': { contentMediaType: 'image/png' },
      },
      headers: POLICY_HEADER,
    },
    errors: ['bad_request', 'not_found'],
  });

/** Serves the API document for programs (docs/decisions/0018). */
@Public()
@Controller()
export class OpenApiController {
  constructor(private readonly document: ApiDocument) {}

  @Get('openapi.json')
  @Describes(DOCUMENT)
  show(@Res() response: Response): void {
    response.type('application/json').send(this.document.bytes());
  }
}

/** The directory with Swagger UI's files. */
const UI_FOLDER = dirname(
  createRequire(import.meta.url).resolve('#swagger-ui-dist/swagger-ui.css'),
);

const SCRIPT = 'swagger-ui-bundle.js';
const STYLE = 'swagger-ui.css';
const ICON = 'favicon-32x32.png';

const START_SCRIPT = 'start.js';

/**
 * Returns the script that starts Swagger UI. It is a separate file, because the security policy of the page forbids
 * inline scripts. `subPath` is the path of the service (docs/decisions/0064).
 */
const startScript = (subPath: string): string => `SwaggerUIBundle({
  url: '${subPath}/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/** The names of the files that the API page loads. Other files of the `swagger-ui-dist` package are not served. */
const ASSETS: readonly string[] = [SCRIPT, STYLE, ICON, START_SCRIPT];

/** The Content-Security-Policy of the API page. It allows `data:` images, because Swagger UI embeds its icons. */
const PAGE_POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self'`,
  `img-src 'self' data:`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join(';');

const pageHtml = (subPath: string): string => `<!doctype html>
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

/** Serves the API document as a web page with Swagger UI, for people (docs/decisions/0018). */
@Public()
@Controller()
export class DocsController {
  private readonly subPath: string;

  constructor(config: Config) {
    this.subPath = subPathOf(config);
  }

  @Get('docs')
  @Describes(PAGE)
  page(@Res() response: Response): void {
    response.set('Content-Security-Policy', PAGE_POLICY).type('html').send(pageHtml(this.subPath));
  }

  @Get('docs/:asset')
  @Describes(assetOperation(ASSETS))
  asset(@Param('asset') name: string, @Res() response: Response): void {
    if (!ASSETS.includes(name)) {
      throw new NotFoundException();
    }
    response.set('Content-Security-Policy', PAGE_POLICY);
    if (name === START_SCRIPT) {
      response.type('text/javascript').send(startScript(this.subPath));
      return;
    }
    response.sendFile(name, { root: UI_FOLDER, cacheControl: false, lastModified: false });
  }
}
