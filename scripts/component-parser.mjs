// ESLint's parser for Svelte components: @typescript-eslint/parser with one TypeScript program for all components
// as svelte-eslint-parser rewrites them. By default it builds a program per component, which took two thirds of the
// linting time.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as svelteParser from 'svelte-eslint-parser';
import typescript from 'typescript';
import { parser } from 'typescript-eslint';

/** @typedef {{ project?: unknown, filePath?: string }} Options */
/** @type {(code: string, options: Options & { programs?: unknown }) => ReturnType<typeof parser.parseForESLint>} */
const parse = parser.parseForESLint;

/**
 * Returns the TypeScript svelte-eslint-parser makes of a component: its last call of the inner parser.
 * @param {string} path
 * @param {object} svelteConfig
 */
function rewritten(path, svelteConfig) {
  let code = '';
  const recording = {
    ...parser,
    parseForESLint(/** @type {string} */ text, /** @type {Options} */ options) {
      code = text;
      return parse(text, { ...options, project: null });
    },
  };
  svelteParser.parseForESLint(readFileSync(path, 'utf8'), {
    filePath: path,
    parser: recording,
    svelteConfig,
  });
  return code;
}

/**
 * @param {string} configPath of the tsconfig.json whose program the components join
 * @param {object} svelteConfig
 */
function createProgram(configPath, svelteConfig) {
  const host = { ...typescript.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const config = typescript.getParsedCommandLineOfConfigFile(
    configPath,
    { noEmit: true },
    host,
    undefined,
    undefined,
    [{ extension: '.svelte', isMixedContent: false, scriptKind: typescript.ScriptKind.Deferred }],
  );
  if (config === undefined) throw new Error(`${configPath} cannot be read`);
  const options = { ...config.options, allowNonTsExtensions: true };
  const compilerHost = typescript.createCompilerHost(options, true);
  const { getSourceFile } = compilerHost;
  compilerHost.getSourceFile = (path, languageOptions, ...rest) =>
    path.endsWith('.svelte')
      ? typescript.createSourceFile(
          path,
          rewritten(path, svelteConfig),
          languageOptions,
          true,
          typescript.ScriptKind.TS,
        )
      : getSourceFile(path, languageOptions, ...rest);
  return typescript.createProgram(config.fileNames, options, compilerHost);
}

/**
 * @param {string} configPath
 * @param {object} svelteConfig
 */
export function componentParser(configPath, svelteConfig) {
  /** @type {typescript.Program | undefined} */
  let program;
  return {
    ...parser,
    parseForESLint(/** @type {string} */ code, /** @type {Options} */ options) {
      // Without a project svelte-eslint-parser needs the syntax only.
      if (!options.project) return parse(code, options);
      program ??= createProgram(resolve(configPath), svelteConfig);
      const held = program.getSourceFile(options.filePath ?? '')?.text;
      if (held !== code) return parse(code, options);
      return parse(code, { ...options, project: null, programs: [program] });
    },
  };
}
