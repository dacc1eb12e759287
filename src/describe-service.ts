import 'reflect-metadata';

import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from 'openapi3-ts/oas31';

import { AppModule } from './app.module.js';
import { configFrom } from './config/config.js';
import { apiDocument } from './openapi/api-document.js';
import { controllersIn } from './openapi/controllers-in.js';

/** Nobody signs or stores anything here. */
const SECRETS = { JWT_SECRET: 'x'.repeat(32), SESSION_SECRET: 'x'.repeat(32) };

/** The API document of the service without running it: its modules are read, and nothing of them is made. */
export async function describeService(): Promise<OpenAPIObject> {
  const app = await NestFactory.create(
    AppModule.with(configFrom(SECRETS), { url: 'postgres://nowhere.invalid/none' }),
    { preview: true, logger: false, abortOnError: false },
  );
  return apiDocument(controllersIn(app.get(ModulesContainer)));
}
