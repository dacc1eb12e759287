#!/usr/bin/env node
// Checks whether a server implements the v3 reading-list API, or the wallabag API, as clients need it
// (docs/api/conformance.md). Requires only Node.
import { parseArgs } from 'node:util';

import { lineOf, summaryOf } from './report.mjs';
import { checksOf, runChecks } from './run-checks.mjs';

const USAGE = `npm run conformance -- --base URL --consumer-key KEY --access-token TOKEN [options]
npm run conformance -- --wallabag --base URL --client-id ID --client-secret SECRET --username NAME --password PASSWORD

  --only NAME        run this check; may be repeated
  --code CODE        a request code to which a person has agreed: checks its exchange, once
  --spend-limit N    make up to N calls to see the limit; whoever shares it is refused till it resets
  --json             the report as JSON
  --list             the names of the checks

Everything it saves has a random mark in its URL, and is deleted again. The exit status is 0 when every check has
passed, 1 when one has failed, 2 when the call is wrong.`;

const OPTIONS = {
  wallabag: { type: 'boolean', default: false },
  base: { type: 'string' },
  'client-id': { type: 'string' },
  'client-secret': { type: 'string' },
  username: { type: 'string' },
  password: { type: 'string' },
  'consumer-key': { type: 'string' },
  'access-token': { type: 'string' },
  only: { type: 'string', multiple: true, default: [] },
  code: { type: 'string' },
  'spend-limit': { type: 'string', default: '0' },
  json: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

function wrong(message) {
  process.stderr.write(`${message}\n\n${USAGE}\n`);
  process.exit(2);
}

function given() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    return wrong(error.message);
  }
}

const NEEDED = {
  v3: ['base', 'consumer-key', 'access-token'],
  wallabag: ['base', 'client-id', 'client-secret', 'username', 'password'],
};

function targetOf(values, api) {
  const missing = NEEDED[api].filter((name) => !values[name]);
  if (missing.length > 0) wrong(`missing: ${missing.map((name) => `--${name}`).join(', ')}`);
  if (!/^https?:\/\//.test(values.base) || !URL.canParse(values.base))
    wrong('--base is no http URL');
  const unknown = values.only.filter((name) => !checksOf(api).some((check) => check.name === name));
  if (unknown.length > 0) wrong(`there is no check named ${unknown.join(', ')}`);
  if (!/^\d+$/.test(values['spend-limit'])) wrong('--spend-limit is a number of calls');
  return {
    base: values.base,
    ...{ consumerKey: values['consumer-key'], accessToken: values['access-token'] },
    ...{ code: values.code, spendLimit: Number(values['spend-limit']) },
    ...{ clientId: values['client-id'], clientSecret: values['client-secret'] },
    ...{ username: values.username, password: values.password },
  };
}

const values = given();
const api = values.wallabag ? 'wallabag' : 'v3';
if (values.help || values.list) {
  const names = checksOf(api)
    .map(({ name, says }) => `${name.padEnd(24)} ${says}`)
    .join('\n');
  process.stdout.write(`${values.help ? USAGE : names}\n`);
  process.exit(0);
}
const onResult = values.json ? undefined : (result) => process.stdout.write(`${lineOf(result)}\n`);
const report = await runChecks(targetOf(values, api), {
  api,
  only: values.only,
  ...(onResult && { onResult }),
});
process.stdout.write(
  values.json ? `${JSON.stringify(report, null, 2)}\n` : `${summaryOf(report)}\n`,
);
process.exitCode =
  report.left > 0 || report.results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
