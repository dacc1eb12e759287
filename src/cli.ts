#!/usr/bin/env node
import 'reflect-metadata';

import process from 'node:process';

import { buildProgram } from './cli/program.js';
import { runProgram } from './cli/run-program.js';

process.exitCode = await runProgram(buildProgram(), process.argv.slice(2));
