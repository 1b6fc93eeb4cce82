import { concernRule } from '../rule.ts';

export const archive = concernRule({
  id: 'shell/archive', keys: ['archive_extract'],
  reason: 'It unpacks or packs an archive, which can write anywhere it names',
  instead: 'List the archive first.',
  examples: {
    hit: ["unzip a.zip", "tar -xPf a.tar", "tar cf x --use-compress-program='sh -c id' .", "zip -r k.zip src", "unzip -od / a.zip"],
    miss: ["tar -tf a.tar", "unzip -l a.zip"],
  },
});
