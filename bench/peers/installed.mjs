// Installs the compared programs into a folder, without changing the machine.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const quiet = { stdio: ['ignore', 'ignore', 'inherit'] };

/** Unpacks Debian packages with their dependencies. Returns the folder that serves as `/`. */
export function fromDebian(folder, packages) {
  const root = join(folder, 'root');
  if (existsSync(root)) return root;
  const archives = join(folder, 'archives');
  mkdirSync(join(archives, 'partial'), { recursive: true });
  execFileSync(
    'apt-get',
    [
      ...['install', '--download-only', '--no-install-recommends', '-y', '-qq'],
      ...['-o', `Dir::Cache::archives=${archives}`, '-o', 'Debug::NoLocking=1', ...packages],
    ],
    quiet,
  );
  for (const file of readdirSync(archives).filter((name) => name.endsWith('.deb'))) {
    execFileSync('dpkg', ['-x', join(archives, file), root], quiet);
  }
  return root;
}

/** Installs an npm package without its install scripts. Returns the folder. */
export function fromNpm(folder, wanted) {
  if (existsSync(join(folder, 'node_modules'))) return folder;
  mkdirSync(folder, { recursive: true });
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  execFileSync('npm', ['install', '--prefix', folder, ...options, wanted], quiet);
  return folder;
}

/** Returns the memory of these processes and their descendants in MB. Shared pages count proportionally. Linux only. */
export function memoryOf(pids) {
  return pids.reduce((sum, pid) => {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const own = Number(/^Pss:\s*(\d+)/m.exec(text)[1]) / 1024;
    return sum + own + memoryOf(children === '' ? [] : children.split(' '));
  }, 0);
}
