// npm run build: builds the app, whether it changed or not.
import { build } from './building.ts'

process.exitCode = build()
