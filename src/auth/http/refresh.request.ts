import { IsString } from 'class-validator';

import { Member } from '../../common/openapi/member.js';

export class RefreshRequest {
  @Member({
    type: 'string',
    description: 'The newest one that the user was given; it is dead afterwards.',
  })
  @IsString()
  refresh_token!: string;
}
