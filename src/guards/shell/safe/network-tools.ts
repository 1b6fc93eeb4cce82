import { show, type Argument } from '../../../core/command/argument.ts';
import type { Draft } from '../../../core/command/analyse/draft.ts';
import { spec, applySpec, texts, type CommandSpec } from './table.ts';

const CURL: CommandSpec = spec(`-o|--output=write -O|--remote-name!hidden_write --output-dir=write -T|--upload-file=read -d|--data|--data-ascii|--data-raw|--data-urlencode|--json=text --data-binary=text -F|--form|--form-string=text -K|--config=read -D|--dump-header=write -c|--cookie-jar=write
  -b|--cookie=text -E|--cert=read --key=read --cacert=read -n|--netrc!secret_store --netrc-file=read!secret_store -H|--header=text -X|--request=text -A|--user-agent=text -e|--referer=text -m|--max-time=text --connect-timeout=text --retry=text --retry-delay=text -u|--user=text -U=text -w|--write-out=text -x|--proxy=text
  --resolve=text --connect-to=text -r|--range=text -C=text -y=text -Y=text -z=text --interface=text --stderr=write --trace=write --trace-ascii=write -Q=text --url=text --unix-socket=write --abstract-unix-socket=text --doh-url=text --libcurl=write --etag-save=write --etag-compare=read --hsts=write --alt-svc=write --dns-servers=text --engine=text --limit-rate=text -t=text -P=text --variable=text --expand-url=text`, 'text*');
const WGET: CommandSpec = spec(`-O|--output-document=write -P|--directory-prefix=write -o|--output-file=write -a|--append-output=write -i|--input-file=read --post-file=read --post-data=text --body-file=read --body-data=text --method=text --config=read --load-cookies=read --save-cookies=write --use-askpass=program -e|--execute=text!program_option
  -U|--user-agent=text --header=text -t|--tries=text -T|--timeout=text -w|--wait=text -l|--level=text -A|--accept=text -R|--reject=text -D|--domains=text --user=text --password=text --ca-certificate=read --certificate=read --private-key=read --warc-file=write -Q=text --limit-rate=text --referer=text --rejected-log=write -B|--base=text -X=text -I=text`, 'text*');

/** Options that lead to another place than the address says, or take more from a file. */
const ELSEWHERE = /^(?:-x|--proxy|--resolve|--connect-to|--unix-socket|--abstract-unix-socket|--doh-url|--dns-servers|--interface|-K|--config|--preproxy|--socks\w*)$/;

/** Programs that reach another machine: which one, and what of the disk goes along. */
export function judgeNetwork(draft: Draft): void {
  const words = draft.argv.slice(1);
  if (draft.name === 'curl' || draft.name === 'wget') {
    const parsed = applySpec(draft.name === 'curl' ? CURL : WGET, draft, words);
    const urls = [...parsed.operands, ...parsed.options.filter(({ spec: option }) => option.names.includes('--url')).map(({ value }) => value)];
    for (const url of urls) if (url !== undefined) raiseAddress(draft, url);
    if (urls.length === 0) draft.raise('network', draft.name);
    for (const { spec: option, name, value } of parsed.options) {
      if (ELSEWHERE.test(name) || (option.names.includes('-X') && !/^(?:GET|HEAD|OPTIONS)$/i.test(value?.text ?? ''))) draft.raise('network', `${draft.name} ${name}`);
      if (option.names.includes('-b') && value !== undefined && !value.text.includes('=')) draft.touch('read', value);
    }
    if (draft.name === 'curl' && words.some((word) => /^-[a-zA-Z]*L|^--loc/.test(word.text))) draft.raise('network', 'curl follows redirects to any host');
    touchUploads(draft, words);
    return;
  }
  const address = words.find((word) => /^[a-z]+:\/\//i.test(word.text)) ?? words.find((word) => /^(?:[\w.-]+@)?[\w-]+(?:\.[\w-]+)+(?::|$)/.test(word.text));
  draft.raise('network', draft.name, address === undefined ? undefined : show(address));
  for (const word of words) if (/^(?:\/|~|\.\.?\/|\.env|\.ssh)/.test(word.text)) draft.touch('read', word);
}

function raiseAddress(draft: Draft, url: Argument): void {
  if (url.dynamic || url.glob && /[[{]/.test(url.text)) draft.raise('network', `${draft.name} to an address that is not known`);
  else draft.raise('network', draft.name, url.text);
}

/** `-d @file`, `-F name=@file`: the file leaves the machine. */
function touchUploads(draft: Draft, words: readonly Argument[]): void {
  texts(words).forEach((text, index) => {
    const match = /(?:^|=)[@<]([^;]+)/.exec(text.replace(/^-[dF]/, ''));
    const word = words[index];
    if (match?.[1] !== undefined && word !== undefined && match[1] !== '-') draft.touch('read', { ...word, text: match[1] });
  });
}
