#!/usr/bin/env node
import 'reflect-metadata';

import process from 'node:process';

import { runProgram } from './cli/program.js';

process.exitCode = await runProgram(process.argv.slice(2));
