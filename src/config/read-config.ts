import { AppError } from '../errors.ts';
import { type EnvFile, type Environment, readEnvFile, secretIn, textsOf, unknownSettings } from './env-file.ts';
import { type Config, type Setting, settings } from './settings.ts';
import { withoutLogin } from './urls.ts';

export interface EffectiveSetting {
  name: string;
  /** Without user and password; null where it is wrong. */
  value: string | null;
  source: 'default' | 'environment' | 'file';
  file: string | null;
  meaning: string;
}

/** Reads the environment, completed by the settings file. Throws one `settings` error with a line for each mistake. */
export function readConfig(environment: Environment, file?: EnvFile): Config {
  const { readings, mistakes } = examine(environment, file);
  if (mistakes) throw mistakes;
  return readings as Config;
}

export function examine(environment: Environment, envFile: EnvFile = readEnvFile(environment)) {
  const errors: string[] = envFile.mistake === undefined ? [] : [envFile.mistake];
  const { texts, own } = textsOf(environment, envFile);
  const effective: EffectiveSetting[] = [];
  const values = Object.entries(settings).map(([key, setting]: [string, Setting]) => {
    const { variable, fallback, meaning, isSecret } = setting;
    const secretFile = (isSecret && texts.get(`${variable}_FILE`)) ?? null;
    const given = secretFile === null ? texts.get(variable) : secretIn(secretFile, variable, texts, errors);
    const text = (given ?? fallback).trim();
    const value = setting.read(text);
    const error = errorOf(value);
    if (error !== undefined) errors.push(`${secretFile === null ? variable : `${variable}_FILE holds what`} ${error}`);
    const shown = isSecret ? withoutLogin(text) : text;
    const isMissing = secretFile !== null && given === undefined;
    const file = secretFile ?? (texts.has(variable) && !own.has(variable) ? envFile.path : null);
    const source = file !== null ? 'file' : texts.has(variable) ? 'environment' : 'default';
    effective.push({ name: variable, value: error !== undefined || isMissing ? null : shown, source, file, meaning });
    return [key, error === undefined ? value : undefined];
  });
  const readings = { ...Object.fromEntries(values), portIsChosen: texts.has('PORT') } as Partial<Config>;
  const names = Object.values(settings).flatMap(({ variable, isSecret }: Setting) =>
    isSecret ? [variable, `${variable}_FILE`] : [variable],
  );
  const { port = 0, metricsPort } = readings;
  if (port > 0 && port === metricsPort)
    errors.push('PORT and ROSTER_METRICS_PORT are the same; allowed are two ports, or 0 for no metrics');
  errors.push(...unknownSettings(Object.fromEntries(texts), ['ROSTER_ENV_FILE', ...names]));
  const text = `Bad settings:\n${errors.map((one) => `  ${one}.`).join('\n')}`;
  return { readings, effective, mistakes: errors.length === 0 ? undefined : new AppError('settings', text) };
}

function errorOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null && 'error' in value ? String(value.error) : undefined;
}
