/** What is used of busboy 1.6; `@types/busboy` takes the place of this file. */
declare module 'busboy' {
  import type { Writable } from 'node:stream';

  namespace busboy {
    interface Busboy extends Writable {
      on(event: 'field', listener: (name: string, value: string) => void): this;
      on(
        event: 'file' | 'partsLimit' | 'error' | 'close' | 'finish' | 'drain',
        listener: () => void,
      ): this;
    }
  }

  function busboy(config: {
    headers: { 'content-type': string };
    defParamCharset: string;
    limits: { parts: number; fieldSize: number };
  }): busboy.Busboy;
  export default busboy;
}
