import { IntegerParam, RequiredParam } from '../pocket-api/params.js';
import type { Address } from '../reading-list/list/address.js';
import { readAddress } from '../reading-list/list-param-readers.js';
import type { PlaceholderStyle } from './media-placeholders.js';

const DIVS = 2;
const LAST_STYLE = 3;

/** The parameters that affect an article response. Other parameters of Pocket's API are ignored. */
export class ArticleRequest {
  @RequiredParam(readAddress, {
    type: 'string',
    maxLength: 4096,
    description:
      'The URL of an item in the list: `given_url` in any spelling, or `resolved_url` as `/v3/get` returns it.',
  })
  url!: Address;

  @IntegerParam(
    { min: 0, max: LAST_STYLE },
    {
      description:
        'The style of the placeholders in `article`. 2: elements such as `<div id="RIL_IMG_1" class="RIL_IMG"></div>` for pictures, and `RIL_VID` for videos. Any other value: comments such as `<!--IMG_1-->` for pictures, and `<!--VID_1-->` for videos.',
      default: 0,
    },
  )
  images?: number;

  placeholders(): PlaceholderStyle {
    return this.images === DIVS ? 'div' : 'comment';
  }
}
