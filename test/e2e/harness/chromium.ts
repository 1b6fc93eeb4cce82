/** The Chromium that looks at the browser host. */
import { chromium, type Browser } from 'playwright-core';
import { findChromium } from '../../../src/build/programs.mjs';

const quietFlags = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync', '--disable-dev-shm-usage'];

/** Chromium's own sandbox does not run as root, and often not in a container; the page shows nothing but our server. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('No Chromium found. Install one, or name it in CHROMIUM_PATH.');
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...quietFlags], handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false });
}
