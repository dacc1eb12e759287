import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

import type { WantedSource } from './client-source.js';

/** What a device shows after something was done. */
export interface Screen {
  /** The texts of the windows that have opened since, in their order. */
  readonly shown: readonly string[];
  /** The lines of the list on top. */
  readonly list: readonly string[];
}

type Order = Readonly<Record<string, unknown>> & { readonly action: string };

export const KOREADER: WantedSource = {
  variable: 'KOREADER_SOURCE',
  folders: ['plugins/wallabag.koplugin', 'plugins/opds.koplugin', 'frontend'],
  programs: [['luajit', '-e', 'require("socket.http") require("json") require("mime")']],
};

/** A device with one of KOReader's plugins, unchanged, on stand-ins for the screen (test/clients/koreader). */
export class KOReader {
  /** Where its books stand. */
  readonly books: string;
  private readonly home = mkdtempSync(join(tmpdir(), 'satchel-koreader-'));
  private readonly lua: ChildProcess;
  private readonly lines: Interface;
  /** Settles when the program ends, with what stands for its answer. */
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

  /** Switched on, with one plugin open and the folder chosen. */
  static async with(source: string, plugin: 'opds' | 'wallabag'): Promise<KOReader> {
    const device = new KOReader(source);
    await device.do({ action: 'choose', folder: device.books });
    await device.do({ action: 'open', plugin });
    return device;
  }

  /** Fails with the device's log when the plugin fails. */
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

  /** What is in the folder of the books, without what the reader notes beside them. */
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
