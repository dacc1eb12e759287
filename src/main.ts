import 'reflect-metadata';

import { fail, serve } from './serve.js';

await serve().catch(fail);
