import 'reflect-metadata';

import { randomBytes } from 'node:crypto';

import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { OpenAPIObject } from 'openapi3-ts/oas31';

import { configFrom } from '../platform/config/config.js';
import { AppModule } from './app.module.js';
import { apiDocument } from './openapi/api-document.js';
import { controllersIn } from './openapi/routes.js';

/** The configuration asks for secrets, though nothing is signed or stored here. */
const SECRETS = {
  JWT_SECRET: randomBytes(32).toString('hex'),
  SESSION_SECRET: randomBytes(32).toString('hex'),
};

/** The API document of the service without running it: its modules are read, and nothing of them is made. */
export async function describeService(): Promise<OpenAPIObject> {
  const app = await NestFactory.create(
    AppModule.with(configFrom(SECRETS), { url: 'postgres://nowhere.invalid/none' }),
    { preview: true, logger: false, abortOnError: false },
  );
  return apiDocument(controllersIn(app.get(ModulesContainer)));
}
