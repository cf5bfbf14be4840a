import { afterAll, beforeAll } from 'vitest';
import { PageServer } from './page-server.js';
import { WorkRoom } from './work-room.js';

/** Chromium with the page of the fixtures and `html` at its top, for the length of a test file; ready when `shows` does. */
export function pageWork(
  html: string,
  shows: string,
  script = '0',
): { readonly work: WorkRoom; readonly page: PageServer } {
  let work: WorkRoom;
  let page: PageServer;
  beforeAll(async () => {
    [work, page] = await Promise.all([WorkRoom.open(), PageServer.start('act-page.html')]);
    await work.launch('chromium', page.url);
    await work.until('button:Save');
    await page.run(`document.body.insertAdjacentHTML('afterbegin', ${JSON.stringify(html)}); ${script}`);
    await work.until(shows);
  });
  afterAll(async () => {
    await work?.close();
    await page?.stop();
  });
  return {
    get work() {
      return work;
    },
    get page() {
      return page;
    },
  };
}
