// The negative control of the kill test: a server that answers before its commit. Loaded with --import in front of the real one's sources.

import { Intake } from '#server/ingest/intake.ts'
import { answer } from '#server/ingest/request.ts'

const careful = Intake.prototype.receive
Intake.prototype.receive = function receive(request) {
  setTimeout(() => void careful.call(this, request), 2_000)
  return Promise.resolve({ status: 200, answer: answer('accepted', null) })
}
