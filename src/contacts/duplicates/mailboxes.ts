/** Providers of public mailboxes; the ending of any country may follow. */
const providers = new Set(
  `aim aliyun aol att bellsouth bluewin btinternet charter comcast cox daum duck earthlink email fastmail free
  freenet gmail gmx googlemail hanmail hey hotmail icloud inbox interia juno kakao laposte libero live mac mail mailbox
  me msn mynet naver netscape ntlworld o2 onet optonline orange outlook passport pm posteo proton protonmail qq
  rambler rediffmail rocketmail rogers sbcglobal seznam sfr sina sky sohu sympatico t-online talktalk terra tiscali tuta
  tutanota ukr uol verizon virgilio virginmedia walla wanadoo web wp xtra yahoo yandex yeah ymail zoho`.match(/\S+/g),
);
const others = new Set(
  `126.com 163.com 139.com 189.cn abv.bg alice.it bigpond.com bk.ru bol.com.br centrum.cz docomo.ne.jp ezweb.ne.jp i.ua
  freemail.hu ig.com.br ya.ru list.ru mail2world.com nate.com bigmir.net online.no outlook.sa poczta.fm r7.com
  shaw.ca softbank.ne.jp telenet.be telus.net tin.it tlen.pl vip.qq.com volny.cz windowslive.com`.match(/\S+/g),
);
const endings = /^(com?\.)?[a-z]{2}$|^(com|net|org|fm|io|me)$/;

export function isPublicMailbox(domain: string): boolean {
  const dot = domain.indexOf('.');
  return others.has(domain) || (providers.has(domain.slice(0, dot)) && endings.test(domain.slice(dot + 1)));
}
