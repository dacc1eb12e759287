import { processorSeconds } from '../../../test/support/processor-time.js';
import { documentKind, mimeTypeOf } from './mime-type.js';

const PDF = '%PDF-1.7\n';
const PNG = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0';
const ZIP = 'PK\x03\x04\x14\0\0\0\0\0';

describe('what a document is', () => {
  it.each([
    ['text/html', '<p>x', 'text/html'],
    ['Text/HTML; charset=x', '', 'text/html'],
    ['text/html', PDF, 'application/pdf'],
    ['application/octet-stream', PDF, 'application/pdf'],
    ['text/plain', PNG, 'image/png'],
    [undefined, PNG, 'image/png'],
    ['application/epub+zip', ZIP, 'application/epub+zip'],
    ['text/html', ZIP, 'application/zip'],
    [undefined, ZIP, 'application/zip'],
    [undefined, '  <!DOCTYPE html><p>', 'text/html'],
    [undefined, '\xef\xbb\xbf<html>', 'text/html'],
    [undefined, '<!-- x --><?xml version="1.0"?>\n<!-- y --><html xmlns="x">', 'text/html'],
    ['application/octet-stream', '<h1>x</h1>', 'text/html'],
    ['application/xml', '<?xml version="1.0"?><!DOCTYPE html PUBLIC ""><html>', 'text/html'],
    ['text/plain', '<!doctype html>', 'text/plain'],
    ['application/json', '{"a":1}', 'application/json'],
    ['text/xml', '<?xml version="1.0"?><rss version="2.0">', 'application/rss+xml'],
    ['application/xml', '<feed xmlns="http://www.w3.org/2005/Atom">', 'application/atom+xml'],
    ['text/html', '<?xml version="1.0"?>\n<!-- c -->\n<rss>', 'application/rss+xml'],
    ['text/xml', '<rdf:RDF xmlns="x">', 'application/rdf+xml'],
    [
      'application/json',
      '{"version": "https://jsonfeed.org/version/1.1"}',
      'application/feed+json',
    ],
    ['text/plain', '<rss>', 'text/plain'],
    ['text/xml', '<note>', 'text/xml'],
    ['image/svg+xml', '<svg xmlns="x">', 'image/svg+xml'],
    [undefined, 'Dear reader,', 'text/plain'],
    [undefined, '\0\x01\x02', 'application/octet-stream'],
    [undefined, '', 'application/octet-stream'],
    ['nonsense', 'Dear reader,', 'text/plain'],
    ['text/html, text/html', '', 'text/html'],
    [undefined, '<!-- never closed', 'text/plain'],
    [undefined, '<?php', 'text/plain'],
  ])('is, said to be %s and beginning with %j: %s', async (said, start, type) => {
    expect(await mimeTypeOf(Buffer.from(start, 'latin1'), said)).toBe(type);
  });

  it('is of no type whose name is longer than names are', async () => {
    expect(await mimeTypeOf(Buffer.from('words'), `text/${'x'.repeat(128)}`)).toBe('text/plain');
  });

  it('takes no long time to tell', async () => {
    const seconds = await processorSeconds(async () => {
      await mimeTypeOf(Buffer.from('<!---->'.repeat(1_000_000)), undefined);
      await mimeTypeOf(Buffer.from('{'.padEnd(5_000_000)), undefined);
    });

    expect(seconds).toBeLessThan(10);
  });

  it.each([
    ['text/html', 'html'],
    ['application/xhtml+xml', 'html'],
    ['application/rss+xml', 'feed'],
    ['application/pdf', 'pdf'],
    ['text/markdown', 'text'],
    ['application/ld+json', 'text'],
    ['image/svg+xml', 'image'],
    ['video/mp4', 'video'],
    ['audio/mpeg', 'audio'],
    ['application/zip', 'other'],
    ['constructor', 'other'],
  ])('belongs to a kind: %s to %s', (type, kind) => {
    expect(documentKind(type)).toBe(kind);
  });
});
