// The words after a command of this folder.
import { type ParseArgsConfig, parseArgs } from 'node:util'

/**
 * The words as `config` names them (node:util, parseArgs). Null when one is no option of the command, `--help` among them, or
 * lacks its value: `usage` has been printed then.
 */
export function wordsOf<const C extends ParseArgsConfig>(
  config: C,
  usage: string,
): ReturnType<typeof parseArgs<C>> | null {
  try {
    return parseArgs(config)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && `${error.code}`.startsWith('ERR_PARSE_ARGS_')))
      throw error
    console.error(usage)
    return null
  }
}
