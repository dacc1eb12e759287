import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Public } from '../../platform/http/public.js';
import { Pages } from '../pages.js';

/** Returns the web app manifest, which includes a share target (W3C Web App Manifest, Web Share Target). */
const manifestOf = (at: Pages['at']) => ({
  id: at('/list'),
  name: 'Satchel',
  short_name: 'Satchel',
  lang: 'en',
  description: 'Your own reading list: save pages, and read them here.',
  start_url: at('/list'),
  scope: at('/'),
  display: 'standalone',
  background_color: '#ffffff',
  theme_color: '#0b5748',
  icons: [
    { src: at('/pages/icon.svg'), sizes: 'any', type: 'image/svg+xml' },
    { src: at('/pages/icon-192.png'), sizes: '192x192', type: 'image/png' },
    { src: at('/pages/icon-512.png'), sizes: '512x512', type: 'image/png' },
    {
      src: at('/pages/icon-maskable-512.png'),
      sizes: '512x512',
      type: 'image/png',
      purpose: 'maskable',
    },
  ],
  share_target: {
    action: at('/save'),
    method: 'GET',
    enctype: 'application/x-www-form-urlencoded',
    params: { title: 'title', text: 'text', url: 'url' },
  },
  shortcuts: [{ name: 'Save a page', url: at('/save') }],
});

/** Serves the manifest with which phones and desktops install the reader as an app. */
@Public()
@Controller()
export class AppController {
  constructor(private readonly pages: Pages) {}

  @Get('manifest.webmanifest')
  manifest(@Res() response: Response): void {
    response.set('Cache-Control', 'no-cache').type('application/manifest+json');
    response.send(JSON.stringify(manifestOf(this.pages.at)));
  }
}
