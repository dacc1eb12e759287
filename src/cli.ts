#!/usr/bin/env node
import 'reflect-metadata';

import process from 'node:process';

import { runProgram } from './cli/program.js';

const words = process.argv.slice(2);
process.exitCode = await runProgram(words.length === 0 ? ['serve'] : words);
