import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';

import { imageSize } from 'image-size';

import { unzipped } from '../support/unzipped.js';

const FOLDER = 'extension';

interface Manifest {
  readonly version: string;
  readonly default_locale: string;
  readonly icons: Record<string, string>;
  readonly action: {
    readonly default_popup: string;
    readonly default_icon: Record<string, string>;
  };
  readonly background: { service_worker: string; scripts: string[]; type: string };
  readonly options_ui: { readonly page: string };
  readonly content_security_policy: { readonly extension_pages: string };
  readonly [name: string]: unknown;
}

const textOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');
const manifest = JSON.parse(textOf('manifest.json')) as Manifest;

const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.endsWith('.d.ts'))
  .map((entry) => join(entry.parentPath, entry.name).slice(FOLDER.length + 1))
  .toSorted();

/** Returns the files that a file of the extension loads. */
function loadedBy(file: string): string[] {
  const text = /\.(html|js)$/.test(file) ? textOf(file) : '';
  const paths = file.endsWith('.html')
    ? text.matchAll(/(?:src|href)="([^"]+)"/g)
    : text.matchAll(/^(?:import|export)[^']*?'(\.[^']+)'/gm);
  return [...paths].map(([, path = '']) => normalize(join(dirname(file), path)));
}

function reachable(from: readonly string[], seen = new Set<string>()): Set<string> {
  for (const file of from.filter((one) => !seen.has(one))) {
    seen.add(file);
    reachable(loadedBy(file), seen);
  }
  return seen;
}

describe('the browser extension', () => {
  it('has the version of the service', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

    expect(manifest.version).toBe(version);
  });

  it('requests only the required permissions, and host access only as optional permissions', () => {
    expect(manifest['permissions']).toEqual(['activeTab', 'contextMenus', 'scripting', 'storage']);
    expect(manifest['optional_permissions']).toEqual(['tabs']);
    expect(manifest['optional_host_permissions']).toEqual(['http://*/*', 'https://*/*']);
    for (const absent of ['host_permissions', 'content_scripts', 'externally_connectable']) {
      expect(manifest).not.toHaveProperty(absent);
    }
  });

  it('has the same background script for Chromium and Firefox, and minimum versions of both', () => {
    const { service_worker: worker, scripts, type } = manifest.background;

    expect(scripts).toEqual([worker]);
    expect(type).toBe('module');
    expect(manifest['minimum_chrome_version']).toBe('121');
    expect(manifest['browser_specific_settings']).toMatchObject({
      gecko: { id: expect.stringMatching(/^[\w.-]+@[\w.-]+$/), strict_min_version: '128.0' },
      gecko_android: { strict_min_version: '128.0' },
    });
  });

  it('is part of the npm package and of the Docker image', () => {
    const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n');
    const published = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[] };

    expect(published.files).toContain('extension');
    expect(linesOf('.dockerignore')).toContain('!extension');
    expect(linesOf('Dockerfile')).toContain('COPY extension ./extension');
  });

  it('contains exactly the files that it references', () => {
    const icons = { ...manifest.icons, ...manifest.action.default_icon };
    const named = [
      'manifest.json',
      join('_locales', manifest.default_locale, 'messages.json'),
      ...files.filter((file) => file.startsWith('_locales/')),
      ...Object.values(icons),
      manifest.action.default_popup,
      manifest.options_ui.page,
      manifest.background.service_worker,
      // No file imports it: the extension runs it inside pages (lib/snapshot/snapshot.js).
      'lib/snapshot/page-copy.js',
    ];

    const needed = [...reachable(named)].toSorted();

    expect(needed.filter((file) => !existsSync(join(FOLDER, file)))).toEqual([]);
    expect(files).toEqual(needed);
    for (const [size, file] of Object.entries(icons)) {
      const { width, height } = imageSize(readFileSync(join(FOLDER, file)));
      expect([width, height]).toEqual([Number(size), Number(size)]);
    }
  });

  it('runs only scripts from its own files', () => {
    expect(manifest.content_security_policy.extension_pages).toMatch(
      /^default-src 'none'; script-src 'self';/,
    );
    expect(manifest.content_security_policy.extension_pages).not.toContain('unsafe');
    for (const file of files.filter((one) => one.endsWith('.html'))) {
      expect(textOf(file)).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|https?:/);
    }
    for (const file of files.filter((one) => one.endsWith('.js'))) {
      expect(textOf(file)).not.toMatch(/\beval\b|new Function|innerHTML|insertAdjacentHTML/);
    }
  });

  it('is packed into one ZIP that contains all its files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'satchel-extension-zip-'));
    const target = join(folder, 'extension.zip');

    execFileSync(process.execPath, ['scripts/extension-zip.mjs', target]);

    expect(Object.keys(await unzipped(readFileSync(target))).toSorted()).toEqual(files);
    rmSync(folder, { recursive: true });
  });
});
