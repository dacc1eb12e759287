import { type DynamicModule, Global, Module } from '@nestjs/common';

import { Clock } from '../common/clock.js';
import { Warnings } from '../common/warnings.js';
import { Config } from './config.js';

/** Provides the configuration, the clock, and one-time warnings to all features. */
@Global()
@Module({})
export class ConfigModule {
  static with(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [{ provide: Config, useValue: config }, Clock, Warnings],
      exports: [Config, Clock, Warnings],
    };
  }
}
