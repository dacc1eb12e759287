import { IntegerParam, RequiredParam } from '../pocket-api/params.js';
import type { Address } from '../reading-list/list/address.js';
import { readAddress } from '../reading-list/list-param-readers.js';
import type { PlaceholderStyle } from './media-placeholders.js';

const DIVS = 2;
const LAST_STYLE = 3;

/** The parameters of the article view that affect its response. Other parameters of the original API are ignored. */
export class ArticleRequest {
  @RequiredParam(readAddress, {
    type: 'string',
    maxLength: 4096,
    description:
      'An item of the list by its URL: `given_url`, in any spelling, or `resolved_url` as the list shows it.',
  })
  url!: Address;

  @IntegerParam(
    { min: 0, max: LAST_STYLE },
    {
      description:
        'How the place of a picture or video is marked in `article`: 2 by `<div id="RIL_IMG_1" class="RIL_IMG"></div>` and `RIL_VID`, else by `<!--IMG_1-->` and `<!--VID_1-->`.',
      default: 0,
    },
  )
  images?: number;

  placeholders(): PlaceholderStyle {
    return this.images === DIVS ? 'div' : 'comment';
  }
}
