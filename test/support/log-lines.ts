import type { TestApp } from './test-app.js';

/** Returns the logged warnings that contain a text. */
export const warningsWith = (app: TestApp, text: string): string[] =>
  app
    .log()
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
    .flatMap((line) =>
      typeof line === 'object' && line !== null && 'msg' in line && 'level' in line
        ? [{ level: line.level, message: String(line.msg) }]
        : [],
    )
    .filter(({ level, message }) => level === 40 && message.includes(text))
    .map(({ message }) => message);
