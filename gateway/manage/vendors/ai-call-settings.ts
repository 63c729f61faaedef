import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#gateway/manage/kernel/app-context.ts'
import type { AiCallVendor } from './ai-call-vendor.ts'
import { httpAiCallVendor, type HttpAiCallSettings } from './http-ai-call-vendor.ts'
import { type RobotSettings, sandboxRobot } from './sandbox-robot.ts'

/** `none`: nobody is called, tasks wait. */
export type AiCallSettings =
  | { kind: 'none' }
  | ({ kind: 'sandbox' } & RobotSettings)
  | ({ kind: 'http' } & HttpAiCallSettings)

/** @param app the sandbox robot calls its signed callback like any other vendor */
export function aiCallVendorOf(
  settings: AiCallSettings,
  context: AppContext,
  app: FastifyInstance,
  { allowPrivate }: { allowPrivate: boolean },
): AiCallVendor | null {
  if (settings.kind === 'none') return null
  return settings.kind === 'http'
    ? httpAiCallVendor({ ...settings, allowPrivate })
    : sandboxRobot(settings, context, app)
}
