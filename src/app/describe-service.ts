import 'reflect-metadata';

import { randomBytes } from 'node:crypto';

import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from 'openapi3-ts/oas31';

import { configFrom } from '../platform/config/config.js';
import { AppModule } from './app.module.js';
import { apiDocument } from './openapi/api-document.js';
import { controllersIn } from './openapi/routes.js';

/** Random values for the required secrets. They have no effect, because this program signs and stores nothing. */
const SECRETS = {
  JWT_SECRET: randomBytes(32).toString('hex'),
  SESSION_SECRET: randomBytes(32).toString('hex'),
};

/**
 * Returns the API document without running the service. Nest reads the metadata of the modules but does not create
 * their providers.
 */
export async function describeService(): Promise<OpenAPIObject> {
  const app = await NestFactory.create(
    AppModule.with(configFrom(SECRETS), { url: 'postgres://nowhere.invalid/none' }),
    { preview: true, logger: false, abortOnError: false },
  );
  return apiDocument(controllersIn(app.get(ModulesContainer)));
}
