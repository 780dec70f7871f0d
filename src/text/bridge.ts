// How a downloaded bridge is started.
import { BRIDGE_FILES, type BridgePlatform } from '#contract/webhook.ts'

/** What starts it, in its own folder; the path is where the script of the sender writes. */
export const BRIDGE_COMMANDS: Record<BridgePlatform, string> = {
  powershell: `powershell -ExecutionPolicy Bypass -File ${BRIDGE_FILES.powershell} "D:\\Print\\*.log"`,
  python: `python ${BRIDGE_FILES.python} "D:\\Print\\*.log"`,
}
