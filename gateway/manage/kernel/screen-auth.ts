import type { FastifyRequest } from 'fastify'
import type { StaffActor } from './actor.ts'

/**
 * How a screen that is no person gets in: a token of its own kind, good only for calls that say
 * `screens`.
 */
export interface ScreenAuth {
  /** What its tokens begin with. */
  prefix: string
  /**
   * @returns null when the token is none, was revoked, or came without its cookie; `renewed` goes
   * back in the answer's header
   */
  enter(
    request: FastifyRequest,
    token: string,
    call: { passive: boolean },
  ): Promise<{ actor: StaffActor; renewed: string | null } | null>
}
