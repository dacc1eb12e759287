// PHP and PHP programs from Debian, on PHP's own server. It keeps compiled code, as a web server with PHP-FPM does.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { fromDebian } from './installed.mjs';

const PACKAGES = 'shaarli tt-rss php8.2-cli php8.2-opcache php8.2-pgsql dbconfig-no-thanks';
const EXTENSIONS =
  'ctype curl gd gettext iconv intl ldap mbstring tokenizer dom simplexml xml fileinfo posix pdo pdo_pgsql pgsql';

/** Returns the folder that serves as `/`. */
export function phpRoot(folder) {
  const root = fromDebian(join(folder, 'debian'), PACKAGES.split(' '));
  mkdirSync(join(root, 'sessions'), { recursive: true });
  return root;
}

/** Returns the program and its settings. */
export function phpOf(root) {
  const [library] = readdirSync(join(root, 'usr/lib/php')).filter((name) => /^\d{8}$/.test(name));
  const settings = [
    `extension_dir=${join(root, 'usr/lib/php', library)}`,
    `include_path=.:${join(root, 'usr/share/php')}`,
    `session.save_path=${join(root, 'sessions')}`,
    ...['zend_extension=opcache', 'opcache.enable_cli=1', 'memory_limit=2G'],
    ...['display_errors=0', 'log_errors=0', 'max_execution_time=120'],
    ...EXTENSIONS.split(' ').map((name) => `extension=${name}`),
  ];
  return [join(root, 'usr/bin/php8.2'), settings.flatMap((setting) => ['-d', setting])];
}

/** Starts a PHP server for a folder, with four worker processes. */
export function servedByPhp(root, home, port) {
  const [program, settings] = phpOf(root);
  const started = performance.now();
  const child = spawn(program, [...settings, '-S', `127.0.0.1:${port}`, '-t', home], {
    env: { ...process.env, PHP_CLI_SERVER_WORKERS: '4' },
    stdio: 'ignore',
  });
  return { child, started, pids: () => [child.pid], stop: () => child.kill() };
}
