import 'reflect-metadata';

import { fail, serve } from './app/serve.js';

await serve().catch(fail);
