import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Public } from '../../common/http/public.js';

/** What a browser needs to keep the reader as an application (W3C Web App Manifest, Web Share Target). */
const MANIFEST = {
  ...{ id: '/list', name: 'Satchel', short_name: 'Satchel', lang: 'en' },
  description: 'Your own reading list: save pages, and read them here.',
  ...{ start_url: '/list', scope: '/', display: 'standalone' },
  ...{ background_color: '#ffffff', theme_color: '#0b5748' },
  icons: [
    { src: '/pages/icon.svg', sizes: 'any', type: 'image/svg+xml' },
    { src: '/pages/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/pages/icon-512.png', sizes: '512x512', type: 'image/png' },
    {
      ...{ src: '/pages/icon-maskable-512.png', sizes: '512x512', type: 'image/png' },
      purpose: 'maskable',
    },
  ],
  share_target: {
    action: '/save',
    ...{ method: 'GET', enctype: 'application/x-www-form-urlencoded' },
    params: { title: 'title', text: 'text', url: 'url' },
  },
  shortcuts: [{ name: 'Save a page', url: '/save' }],
};

/** The reader as an application of a phone or a desktop. */
@Public()
@Controller()
export class AppController {
  @Get('manifest.webmanifest')
  manifest(@Res() response: Response): void {
    response.set('Cache-Control', 'no-cache').type('application/manifest+json');
    response.send(JSON.stringify(MANIFEST));
  }
}
