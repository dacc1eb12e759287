import { type DynamicModule, Global, Module } from '@nestjs/common';

import { Clock } from '../common/clock.js';
import { Config } from './config.js';

/** Provides what every feature may ask for: the configuration and the clock. */
@Global()
@Module({})
export class ConfigModule {
  static with(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Config, useValue: config }, Clock],
      exports: [Config, Clock],
    };
  }
}
