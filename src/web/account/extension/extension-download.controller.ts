import { Get, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Page } from '../../page.js';
import { type ExtensionZip, packExtension } from './extension-zip.js';

/** Serves the browser extension as a file that people install in their browsers. */
@Page('account/extension')
export class ExtensionDownloadController {
  private packed: ExtensionZip | undefined;

  @Get('satchel-extension.zip')
  async download(@Res() response: Response): Promise<void> {
    // The files of an installation do not change, so they are packed only once.
    this.packed ??= await packExtension();
    const { name, bytes, etag } = this.packed;
    response
      .set({
        'Cache-Control': 'private, no-cache',
        'Content-Disposition': `attachment; filename="${name}"`,
        ETag: etag,
      })
      .type('application/zip')
      .send(bytes);
  }
}
