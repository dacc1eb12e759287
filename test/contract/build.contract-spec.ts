import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const WEB = 'src/web';

const templatesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.eta'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
    .toSorted();

const lines = (file: string): string[] => readFileSync(file, 'utf8').split('\n');

/** The files of the project that the Dockerfile copies into the image. */
const copiedFiles = (): string[] =>
  lines('Dockerfile')
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(' ').slice(1, -1))
    .map((path) => path.replace('./', ''));

describe('the image', () => {
  it('gets each file that its Dockerfile copies', () => {
    const sent = lines('.dockerignore').map((line) => line.replace('!', ''));

    expect(copiedFiles().filter((path) => !sent.includes(path))).toEqual([]);
  });

  it('has each script that the build runs', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: { build: string };
    };
    const needed = scripts.build.match(/scripts\/[\w-]+\.mjs/g) ?? [];

    expect(needed).not.toEqual([]);
    expect(copiedFiles()).toEqual(expect.arrayContaining([...needed]));
  });

  it('starts the service as the unit of systemd does', () => {
    const [command = ''] = lines('Dockerfile').filter((line) => line.startsWith('CMD '));
    const [, ...words] = JSON.parse(command.slice('CMD '.length)) as string[];
    const [unit = ''] = lines('deploy/systemd/satchel.service').filter((line) =>
      line.startsWith('ExecStart='),
    );

    expect(unit.replace('/opt/satchel/', '').split(' ').slice(2)).toEqual(words);
  });
});

describe('the build', () => {
  it('contains an unchanged copy of each page template', () => {
    expect(templatesIn(join('dist', WEB))).toEqual(templatesIn(WEB));
    for (const file of templatesIn(WEB)) {
      expect(readFileSync(join('dist', WEB, file))).toEqual(readFileSync(join(WEB, file)));
    }
  });
});
