import { crc32, deflateRawSync } from 'node:zlib';

/** A file in a test archive. Omitted members get valid values. */
export interface ZipPart {
  readonly name: string;
  readonly content: string | Buffer;
  /** Written to the archive as given, even if it is wrong. */
  readonly flags?: number;
  readonly crc?: number;
  readonly size?: number;
  readonly packedSize?: number;
}

interface Laid extends ZipPart {
  readonly packed: Buffer;
  readonly offset: number;
}

/** Returns a ZIP of these files, deflated, in this order. */
export function aZip(parts: readonly ZipPart[]): Buffer {
  const laid: Laid[] = [];
  const blocks: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const one = { ...part, packed: deflateRawSync(part.content), offset };
    const block = Buffer.concat([header(one, 'local'), one.packed]);
    laid.push(one);
    blocks.push(block);
    offset += block.length;
  }
  const directory = Buffer.concat(laid.map((one) => header(one, 'central')));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...blocks, directory, end]);
}

function header(part: Laid, kind: 'local' | 'central'): Buffer {
  const name = Buffer.from(part.name);
  const content = Buffer.from(part.content);
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(part.flags ?? 0x800, 2);
  shared.writeUInt16LE(8, 4);
  shared.writeUInt32LE(part.crc ?? crc32(content), 10);
  shared.writeUInt32LE(part.packedSize ?? part.packed.length, 14);
  shared.writeUInt32LE(part.size ?? content.length, 18);
  shared.writeUInt16LE(name.length, 22);
  if (kind === 'local') {
    return Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, name]);
  }
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(part.offset, 10);
  return Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, rest, name]);
}
