#!/usr/bin/env node
import 'reflect-metadata';

import process from 'node:process';

import { buildProgram, runProgram } from './cli/program.js';

process.exitCode = await runProgram(buildProgram(), process.argv.slice(2));
