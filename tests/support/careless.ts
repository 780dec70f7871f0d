// The negative control of the kill test: a server that answers before its commit. Loaded with --import in front of the real one's sources.

import { Intake } from '#server/ingest/intake.ts'
import { answer } from '#server/ingest/request.ts'

const careful = Intake.prototype.receive
Intake.prototype.receive = function receive(request) {
  // Later than any kill: how long the test stands still in between makes no difference.
  setTimeout(() => void careful.call(this, request), 600_000)
  return Promise.resolve({ status: 200, answer: answer('accepted', null) })
}
