// A minimal browser for signing in: follows redirects, keeps cookies and submits forms.

interface Page {
  url: URL;
  status: number;
  text: string;
}

const MOST_REDIRECTS = 20;

export function openBrowser() {
  const cookies = new Map<string, string>();

  async function load(address: URL, init: RequestInit): Promise<Page> {
    let [url, next] = [address, init];
    for (let i = 0; i < MOST_REDIRECTS; i++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { ...next, redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) keep(line);
      const to = response.headers.get('location');
      if (to === null) return { url, status: response.status, text: await response.text() };
      await response.body?.cancel();
      [url, next] = [new URL(to, url), { method: 'GET' }];
    }
    throw new Error(`${address} redirects without end.`);
  }

  function keep(line: string): void {
    const [name = '', value = ''] = line.split(';')[0]!.split(/=(.*)/s);
    if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }

  return {
    open: (address: string) => load(new URL(address), { method: 'GET' }),
    /** Submits a page's form with its hidden fields and the given ones. */
    submit({ url, text }: Page, fields: Record<string, string> = {}) {
      const hidden = [...text.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)];
      const body = new URLSearchParams(Object.fromEntries(hidden.map(([, name, value]) => [name!, value!])));
      for (const [name, value] of Object.entries(fields)) body.set(name, value);
      const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1] ?? '';
      return load(new URL(action, url), { method: 'POST', body });
    },
  };
}
