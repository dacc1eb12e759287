import { Controller, Get, NotFoundException, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { SchemaObject } from 'openapi3-ts/oas31';

import { Describes, type Operation } from '../../platform/common/openapi.js';
import { Public } from '../../platform/http/public.js';
import type { DeviceImage } from './conversion-process.js';
import { ImagesService, type SignedImage, type SignedThumbnail } from './images.service.js';

type ThumbnailParameters = Readonly<Record<'user' | 'item' | 'signature', string>>;
type ImageParameters = Readonly<Record<'page' | 'image' | 'signature', string>>;

const PAGE_ID = /^\d{1,18}$/;
const NUMBER = /^[1-9]\d{0,2}$/;
const SIGNATURE = /^[\w-]{32}$/;
/** Matches the signature in the address of a picture, after the id of a user. In old addresses, the id is missing. */
const SIGNATURE_OF_PAGE = /^(?:\d{1,18}\.)?[\w-]{32}$/;

const PICTURE: SchemaObject = { type: 'string', contentEncoding: 'binary' };

/**
 * The caching header of picture responses. A client can use a picture for one day without a new request, because a
 * changed picture gets a new address.
 */
const IMAGE_CACHING = 'private, max-age=86400, immutable';

const IMAGE_OPERATION: Operation = {
  id: 'image',
  tag: 'Reading list',
  summary: 'Get a picture of an article',
  description:
    'The field `images` in the answers of `/v3beta/text` and `/api/kobo/download` contains the addresses of the pictures. Each address is signed, so a client can fetch only these pictures. A picture is at most 1264 pixels wide and 1680 pixels high.',
  security: [],
  pathParameters: {
    page: { type: 'string', pattern: PAGE_ID.source, description: 'The id of the page.' },
    image: {
      type: 'string',
      pattern: NUMBER.source,
      description: 'The number of the picture in the article.',
    },
    signature: {
      type: 'string',
      pattern: SIGNATURE_OF_PAGE.source,
      description: 'The signature of the address.',
    },
  },
  answer: {
    status: 200,
    description: 'The picture.',
    headers: {
      'Cache-Control': {
        description: 'Clients may cache the picture for a day.',
        schema: { const: IMAGE_CACHING },
      },
    },
    content: { 'image/jpeg': PICTURE, 'image/png': PICTURE },
  },
  errors: ['bad_request', 'not_found', 'internal_error', 'service_busy', 'database_unavailable'],
  dialect: 'account',
};

/**
 * Returns pictures to e-readers, which send no credentials. A valid signature in the address allows the client to get
 * the picture.
 */
@Public()
@Controller()
export class ImagesController {
  constructor(private readonly images: ImagesService) {}

  @Get('images/:page/:image/:signature')
  @Describes(IMAGE_OPERATION)
  async show(@Param() parameters: ImageParameters, @Res() response: Response): Promise<void> {
    const signed = signedImage(parameters);
    answer(response, signed && (await this.images.find(signed)));
  }

  /** Returns thumbnails, which only the web pages of Satchel show. */
  @Get('images/thumbnails/:user/:item/:signature')
  async thumbnail(
    @Param() parameters: ThumbnailParameters,
    @Res() response: Response,
  ): Promise<void> {
    const signed = signedThumbnail(parameters);
    answer(response, signed && (await this.images.findThumbnail(signed, 'thumbnail')));
  }

  /** Returns larger thumbnails, for cards and for screens with many pixels. The same signature is valid for both sizes. */
  @Get('images/thumbnails/:user/:item/:signature/large')
  async largeThumbnail(
    @Param() parameters: ThumbnailParameters,
    @Res() response: Response,
  ): Promise<void> {
    const signed = signedThumbnail(parameters);
    answer(response, signed && (await this.images.findThumbnail(signed, 'card')));
  }
}

function answer(response: Response, image: DeviceImage | undefined): void {
  if (image === undefined) {
    throw new NotFoundException();
  }
  response.set({ 'Content-Type': image.type, 'Cache-Control': IMAGE_CACHING });
  response.end(image.bytes);
}

const signedThumbnail = ({
  user,
  item,
  signature,
}: ThumbnailParameters): SignedThumbnail | undefined =>
  [user, item].every((id) => PAGE_ID.test(id)) && SIGNATURE.test(signature)
    ? { userId: user, itemId: item, signature }
    : undefined;

function signedImage({ page, image, signature }: ImageParameters): SignedImage | undefined {
  return PAGE_ID.test(page) && NUMBER.test(image) && SIGNATURE_OF_PAGE.test(signature)
    ? { pageId: page, number: Number(image), signature }
    : undefined;
}
