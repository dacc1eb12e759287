import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

import type { WantedSource } from './client-source.js';

/** The device's screen after an action. */
export interface Screen {
  /** Texts of the windows that opened since the previous action, in order. */
  readonly shown: readonly string[];
  /** Lines of the topmost list. */
  readonly list: readonly string[];
}

type Order = Readonly<Record<string, unknown>> & { readonly action: string };

export const KOREADER: WantedSource = {
  variable: 'KOREADER_SOURCE',
  folders: ['plugins/wallabag.koplugin', 'plugins/opds.koplugin', 'frontend'],
  programs: [['luajit', '-e', 'require("socket.http") require("json") require("mime")']],
};

/** A device that runs an unchanged KOReader plugin on a simulated screen (test/clients/koreader). */
export class KOReader {
  /** The folder of its books. */
  readonly books: string;
  private readonly home = mkdtempSync(join(tmpdir(), 'satchel-koreader-'));
  private readonly lua: ChildProcess;
  private readonly lines: Interface;
  /** Resolves with an error line when the program ends. */
  private readonly ended: Promise<readonly [string]>;
  private log = '';

  private constructor(source: string) {
    this.books = join(this.home, 'books');
    mkdirSync(this.books);
    const here = join(process.cwd(), 'test/clients/koreader');
    this.lua = spawn('luajit', [join(here, 'device.lua'), source, here], {
      env: { ...process.env, KO_HOME: this.home },
    });
    this.lua.stderr!.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    this.lines = createInterface({ input: this.lua.stdout! });
    this.ended = once(this.lua, 'exit').then(() => ['{"problem":"the program has ended"}']);
  }

  /** Starts a device, chooses the book folder and opens one plugin. */
  static async with(source: string, plugin: 'opds' | 'wallabag'): Promise<KOReader> {
    const device = new KOReader(source);
    await device.do({ action: 'choose', folder: device.books });
    await device.do({ action: 'open', plugin });
    return device;
  }

  /**
   * Performs an action on the device.
   * @throws Error with the device's log if the plugin fails
   */
  async do(order: Order): Promise<Screen> {
    this.lua.stdin!.write(`${JSON.stringify(order)}\n`);
    const [line] = (await Promise.race([once(this.lines, 'line'), this.ended])) as [string];
    const { problem, ...screen } = JSON.parse(line) as Screen & { problem?: string };
    if (problem !== undefined) {
      throw new Error(`${order.action}: ${problem}\n${this.log}`);
    }
    return screen;
  }

  menu(...path: readonly string[]): Promise<Screen> {
    return this.do({ action: 'menu', path });
  }

  tap(text: string): Promise<Screen> {
    return this.do({ action: 'tap', text });
  }

  type(...values: readonly string[]): Promise<Screen> {
    return this.do({ action: 'type', values });
  }

  /** Lists the book folder without KOReader's `.sdr` folders. */
  files(folder = this.books): string[] {
    return readdirSync(folder)
      .filter((name) => !name.endsWith('.sdr'))
      .sort();
  }

  async close(): Promise<void> {
    this.lua.stdin!.end();
    await this.ended;
    rmSync(this.home, { recursive: true, force: true });
  }
}
