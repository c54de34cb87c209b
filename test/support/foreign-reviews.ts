/** Short reviews of our own in languages other than English, for tests and measurements. */
import { READ_TAGS } from "../../src/insight/text/language-words.ts";

const REVIEWS = {
  de: `Sehr zu empfehlen!
Absolut unfreundlich und viel zu teuer.
Der Monteur kam pünktlich und hat alles sauber hinterlassen.
Nie wieder.
Termin zweimal verschoben, dann niemand erschienen.
schnell und zuverlässig
Alles bestens, gerne wieder!
Die Heizung tropft schon wieder, und am Telefon geht keiner ran.
Guter Service
Leider hat uns niemand zurückgerufen
Preis und Leistung stimmen.
Kompetente Beratung, faire Preise
Ich bin mehr als enttäuscht von dieser Firma
TOP FIRMA, IMMER WIEDER GERNE
War ok, aber Wartezeit zu lang
Herr Brandl war sehr nett und hat uns den Fehler in Ruhe erklärt`,
  fr: `Très bon service
À fuir !
Le technicien est arrivé avec deux heures de retard et n'a rien réparé.
Personnel accueillant et compétent, je recommande.
Travail soigné
Rapide, efficace et pas cher
Je suis très déçue de cette entreprise
Merci à Julien pour sa patience
Devis jamais reçu malgré trois relances
Rien à redire, tout était parfait
Prix exagéré pour dix minutes de travail.
SERVICE CLIENT INEXISTANT
Équipe sympathique et ponctuelle
Ils ont laissé le salon propre.
On ne nous a jamais rappelés
Bon rapport qualité prix`,
  es: `Muy buen servicio
No los recomiendo para nada.
Llegaron tarde y dejaron todo sucio, una vergüenza.
Excelente atención, muy amables todos
Precios justos
Buen trabajo y rápido
El técnico fue muy educado y nos explicó el problema con calma
Nunca devolvieron la llamada
todo perfecto, gracias
Carísimo y encima mal hecho
La atención al cliente es pésima
Volveré sin dudarlo
Me cobraron el doble de lo acordado
Profesionales y puntuales
Muy contenta con el resultado
ESTAFADORES, NO CONTRATEN`,
  pt: `Atendimento excelente
Péssimo serviço, não recomendo a ninguém.
O técnico chegou na hora e resolveu tudo rapidamente
Muito caro para o que fizeram
Equipe educada e prestativa
Adorei, voltarei com certeza
Não atendem o telefone
Trabalho bem feito e preço justo
Marcaram três vezes e nunca apareceram.
Ótima experiência, muito obrigado
Deixaram a cozinha toda suja
Pessoal simpático e competente
Recomendo vivamente
Demoraram duas semanas a responder
Serviço rápido e limpo
DINHEIRO JOGADO FORA`,
  it: `Ottimo servizio
Personale gentile e preparato
Sono arrivati in ritardo e senza scusarsi.
Non lo consiglio a nessuno
Prezzi onesti e lavoro ben fatto
Veloci, puliti e cordiali
Una vera delusione, soldi buttati
Il tecnico ha spiegato tutto con calma
Mai più!
Tutto perfetto, grazie mille
Ho chiamato cinque volte e nessuno ha risposto
Consigliatissimo
Troppo caro per quello che offrono
Hanno risolto il problema in mezz'ora
Esperienza pessima dall'inizio alla fine
LAVORO FATTO MALE`,
  nl: `Prima service
Erg onvriendelijk aan de telefoon.
De monteur kwam op tijd en heeft alles netjes opgeruimd
Nooit meer
Snelle en goede hulp, aanrader!
Veel te duur voor wat ze doen
Heel tevreden over het resultaat
Afspraak werd drie keer verzet
Ze hebben nooit teruggebeld.
Vriendelijk personeel en eerlijke prijzen
Goed werk geleverd
Helaas lekt de kraan alweer
Top bedrijf, alles duidelijk uitgelegd
Wat een slechte ervaring
Vakkundig en netjes gewerkt
NIET DOEN, OPLICHTERS`,
  pl: `Bardzo dobra obsługa
Nie polecam nikomu
Fachowiec przyjechał punktualnie i wszystko naprawił
Zdecydowanie za drogo jak na taką jakość.
Szybko, sprawnie i czysto
Polecam z czystym sumieniem
Nikt nie odbiera telefonu
Umówili się i nie przyjechali
Miły i kompetentny personel
Strata czasu i pieniędzy
Wszystko zgodnie z umową
Po tygodniu znowu cieknie
Uczciwe ceny, solidna robota
Jestem bardzo zadowolona
Nigdy więcej
TRAGEDIA, OMIJAĆ Z DALEKA`,
  sv: `Mycket bra service
Otrevligt bemötande
De kom i tid och lämnade allt rent efter sig
Alldeles för dyrt
Rekommenderas varmt
Snabbt, smidigt och trevligt
Ingen ringde tillbaka
Väldigt nöjd med jobbet
Kommer aldrig tillbaka hit.
Duktiga hantverkare som förklarade allt
Fick vänta i tre veckor på en tid
Bra priser och kunnig personal
Det läcker fortfarande
Jag är mycket besviken
Toppen!
UNDVIK DETTA FÖRETAG`,
  da: `Rigtig god service
Meget dyrt og dårligt arbejde
De kom til tiden og ryddede pænt op
Kan varmt anbefales
Ingen ringede tilbage
Aldrig igen!
Venlig og dygtig montør
Jeg er meget skuffet
Hurtigt og professionelt arbejde
Ventede forgæves hele dagen
Fair priser og god vejledning
Vi er meget tilfredse med resultatet
Det drypper stadigvæk
Sødt personale
Alt var som aftalt
DÅRLIGSTE OPLEVELSE NOGENSINDE`,
  no: `Veldig god service
Altfor dyrt for det de gjorde
De kom presis og ryddet opp etter seg
Anbefales på det sterkeste
Ingen svarte på telefonen
Aldri mer
Hyggelig og dyktig rørlegger
Jeg er svært skuffet over dette firmaet
Raskt og ryddig arbeid
Måtte vente i to uker
Greie priser og flinke folk
Vi er kjempefornøyde
Det lekker fortsatt
Alt ble gjort som avtalt
Ble møtt med et smil
STYR UNNA`,
  fi: `Todella hyvä palvelu
Aivan liian kallista
Asentaja tuli ajoissa ja siivosi jälkensä
En suosittele kenellekään
Nopea ja ystävällinen
Kukaan ei vastannut puhelimeen
Olen erittäin tyytyväinen
Huono kokemus
Työ tehtiin huolellisesti
Ei enää ikinä
Reilut hinnat
Jouduimme odottamaan kolme viikkoa
Mukava henkilökunta
Hana vuotaa edelleen
Kiitos paljon!
PYSYKÄÄ KAUKANA`,
  tr: `Çok iyi hizmet
Hiç memnun kalmadım
Usta zamanında geldi ve her şeyi temiz bıraktı
Fiyatlar çok pahalı
Kesinlikle tavsiye ederim
Telefonlara cevap vermiyorlar
Güler yüzlü personel
Bir daha asla gelmem
Hızlı ve güvenilir
Üç kere randevu verip gelmediler.
İşini bilen insanlar
Paramı geri vermediler
Her şey için teşekkürler
Musluk hâlâ akıyor
Ilgili ve kibar
TAM BİR REZALET`,
  ro: `Servicii foarte bune
Nu recomand nimănui
Au venit la timp și au lăsat totul curat
Prea scump pentru ce oferă
Personal amabil și priceput
Nimeni nu răspunde la telefon
Recomand cu încredere
O experiență dezamăgitoare
Lucrare făcută de mântuială
Mulțumesc pentru ajutor
Rapid și eficient
Am așteptat trei săptămâni degeaba
Prețuri corecte
Robinetul curge din nou
Foarte mulțumită de rezultat
BĂTAIE DE JOC`,
  cs: `Velmi dobrý servis
Nedoporučuji nikomu
Technik přijel včas a všechno po sobě uklidil
Příliš drahé
Rychlé a spolehlivé jednání
Nikdo nezvedá telefon
Jsem moc spokojená
Už nikdy víc
Příjemný personál a férové ceny
Čekali jsme tři týdny
Odvedli skvělou práci
Kohoutek zase kape
Děkujeme za ochotu
Hrozná zkušenost
Vše proběhlo podle dohody
KATASTROFA`,
  hu: `Nagyon jó kiszolgálás
Senkinek sem ajánlom
A szerelő pontosan érkezett és rendet hagyott maga után
Túl drága ezért a munkáért
Gyors és megbízható
Nem veszik fel a telefont
Nagyon elégedett vagyok
Soha többet
Kedves személyzet, korrekt árak
Három hetet vártunk
Kiváló munkát végeztek
A csap megint csöpög
Köszönöm a segítséget
Borzalmas élmény volt
Csak ajánlani tudom
KERÜLJÉTEK EL`,
  id: `Pelayanan sangat bagus
Sangat mengecewakan
Teknisi datang tepat waktu dan rapi
Harganya terlalu mahal
Saya sangat merekomendasikan
Telepon tidak pernah dijawab
Stafnya ramah dan sopan
Tidak akan kembali lagi
Cepat dan memuaskan
Kerannya masih bocor
Terima kasih banyak atas bantuannya
Menunggu tiga jam tanpa kabar
Pekerjaannya bersih
Harga terjangkau
Kualitas buruk sekali
JANGAN KE SINI`,
  vi: `Dịch vụ rất tốt
Nhân viên thân thiện
Giá quá đắt
Thợ đến đúng giờ và dọn dẹp sạch sẽ
Tôi rất thất vọng
Không ai trả lời điện thoại
Sẽ quay lại lần sau
Làm việc nhanh và cẩn thận
Không bao giờ quay lại
Vòi nước vẫn bị rò
Cảm ơn rất nhiều
Chờ ba tiếng mà không ai đến`,
  ru: `Отличный сервис
Не рекомендую
Мастер приехал вовремя и всё убрал за собой
Слишком дорого
Никто не берёт трубку
Очень довольна
Больше никогда
Вежливый персонал и честные цены
Кран снова течёт
Быстро и качественно
Спасибо большое!
Прождали три недели впустую`,
  uk: `Чудовий сервіс
Нікому не раджу
Майстер приїхав вчасно і все прибрав
Занадто дорого
Дуже задоволена роботою
Ніхто не відповідає на дзвінки
Більше ніколи
Привітний персонал і чесні ціни
Кран знову протікає
Швидко та якісно
Щиро дякую!
Чекали три тижні даремно`,
  el: `Πολύ καλή εξυπηρέτηση
Δεν το συνιστώ
Ο τεχνικός ήρθε στην ώρα του
Πολύ ακριβό
Κανείς δεν απαντά στο τηλέφωνο
Ευχαριστώ πολύ
Ποτέ ξανά
Ευγενικό προσωπικό`,
  zh: `服务很好
价格太贵了
师傅准时到达，打扫得很干净
不推荐
电话没人接
非常满意
再也不来了
水龙头还在漏水`,
  ja: `とても親切でした
二度と行きません
時間通りに来てくれて、丁寧に説明してくれました
料金が高すぎる
電話に誰も出ない
大満足です
スタッフの対応が悪い
ありがとうございました`,
  ko: `서비스가 아주 좋아요
너무 비싸요
기사님이 제시간에 오셔서 깔끔하게 해 주셨어요
추천하지 않습니다
전화를 안 받아요
정말 만족합니다
다시는 안 갑니다
감사합니다`,
  ar: `خدمة ممتازة
لا أنصح بهم أبدا
وصل الفني في الموعد ونظف المكان
السعر مرتفع جدا
لا أحد يرد على الهاتف
شكرا جزيلا
تجربة سيئة
موظفون ودودون`,
  he: `שירות מצוין
לא ממליץ לאף אחד
הטכנאי הגיע בזמן והשאיר הכל נקי
יקר מדי
אף אחד לא עונה לטלפון
תודה רבה
לא אחזור לשם
צוות אדיב`,
  th: `บริการดีมาก
แพงเกินไป
ช่างมาตรงเวลาและทำงานสะอาด
ไม่แนะนำ
ไม่มีใครรับโทรศัพท์
ประทับใจมาก
จะไม่กลับมาอีก
ขอบคุณมาก`,
  hi: `बहुत अच्छी सेवा
बहुत महंगा है
मिस्त्री समय पर आया और सफाई से काम किया
मैं सलाह नहीं दूंगा
कोई फोन नहीं उठाता
धन्यवाद
बेकार अनुभव
कर्मचारी विनम्र हैं`,
};

const isRead = (language: string) => (READ_TAGS as readonly string[]).includes(language);
/** The languages of the reviews that the analyser does not read, by their base tags. */
export const FOREIGN_LANGUAGES = (Object.keys(REVIEWS) as (keyof typeof REVIEWS)[]).filter((tag) => !isRead(tag));

/** The reviews in a language. */
export function reviewsIn(language: keyof typeof REVIEWS): readonly string[] {
  return REVIEWS[language].split("\n");
}
