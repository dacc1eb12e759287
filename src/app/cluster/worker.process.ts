import 'reflect-metadata';

import { runWorker } from './worker.js';

runWorker();
