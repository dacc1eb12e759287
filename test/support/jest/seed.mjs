// Property tests use the same seed in each run, so that none fails by chance. TEST_SEED=N sets another seed.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });
