/**
 * The browser installed by npm: a Chromium built for Lambda, which unpacks itself into the
 * temporary folder, and its libraries and fonts only where it detects a Lambda.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..', '..')
/** Removed by the next `npm ci`, so it is always the installed version. */
const CACHE = join(ROOT, 'node_modules', '.cache')
const HOME = join(CACHE, 'chromium')
const UNPACK = "import chromium from '@sparticuz/chromium'; await chromium.executablePath()"

export interface PackedBrowser {
  executablePath: string
  args: string[]
  env: Record<string, string>
}

export const runsPacked = process.platform === 'linux' && process.arch === 'x64'

/** Unpacked once; concurrent processes each unpack their own copy and the first one stays. */
export async function packedBrowser(): Promise<PackedBrowser> {
  if (!runsPacked)
    throw new Error(
      'No Chrome or Chromium was found, and the one npm brought is for Linux on x64: install one, or set CHROME_PATH.',
    )
  if (!existsSync(HOME)) {
    await mkdir(CACHE, { recursive: true })
    const folder = await mkdtemp(join(CACHE, 'chromium-'))
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', UNPACK], {
      cwd: ROOT,
      env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
    })
    await writeFile(join(folder, 'fonts.conf'), FONTS)
    await rename(folder, HOME).catch(async (error: NodeJS.ErrnoException) => {
      await rm(folder, { recursive: true, force: true })
      if (!existsSync(HOME)) throw error
    })
  }
  return {
    executablePath: join(HOME, 'chromium'),
    args: ['--headless=shell', '--no-zygote'],
    env: {
      ...(process.env as Record<string, string>),
      LD_LIBRARY_PATH: [join(HOME, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH]
        .filter(Boolean)
        .join(':'),
      FONTCONFIG_FILE: join(HOME, 'fonts.conf'),
    },
  }
}

/** Its own font family in addition to those of the machine. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(HOME, 'fonts')}</dir>
  <cachedir>${join(HOME, 'fonts-cache')}</cachedir>
</fontconfig>
`
