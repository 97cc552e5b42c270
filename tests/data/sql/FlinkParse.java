/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the parser of a real Flink: a text a line on standard input (\n and \\ escaped; "@E " before an expression), and
 * for each a line OK and the canonical text, or ERR, the position and the first line of the message.
 *
 * parse.tsv was made with it. It needs the jars of a Flink 2.3.0 (pyflink's lib folder) and flink-table-planner.jar out
 * of flink-table-planner-loader on the class path:  javac -cp ... FlinkParse.java && java -cp .:... FlinkParse < texts
 */
import java.io.*;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.config.Lex;
import org.apache.calcite.sql.*;
import org.apache.calcite.sql.dialect.AnsiSqlDialect;
import org.apache.calcite.sql.dialect.CalciteSqlDialect;
import org.apache.calcite.sql.parser.*;
import org.apache.flink.sql.parser.impl.FlinkSqlParserImpl;
import org.apache.flink.sql.parser.validate.FlinkSqlConformance;

public class FlinkParse {
    static String escape(String s) {
        return s.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r");
    }

    static String unescape(String s) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (c == '\\' && i + 1 < s.length()) {
                char d = s.charAt(++i);
                out.append(d == 'n' ? '\n' : d == 't' ? '\t' : d == 'r' ? '\r' : d);
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, "UTF-8");
        SqlParser.Config config =
            SqlParser.config().withParserFactory(FlinkSqlParserImpl.FACTORY).withConformance(FlinkSqlConformance.DEFAULT)
                .withLex(Lex.JAVA).withIdentifierMaxLength(256);
        SqlDialect dialect = new CalciteSqlDialect(AnsiSqlDialect.DEFAULT_CONTEXT.withIdentifierQuoteString("`"));
        for (String line; (line = in.readLine()) != null;) {
            String text = unescape(line);
            boolean expression = text.startsWith("@E ");
            if (expression) text = text.substring(3);
            try {
                SqlParser parser = SqlParser.create(text, config);
                SqlNode node;
                if (expression) {
                    node = parser.parseExpression();
                } else {
                    SqlNodeList list = parser.parseStmtList();
                    if (list.size() != 1) {
                        out.println("LIST " + list.size());
                        continue;
                    }
                    node = list.get(0);
                }
                out.println("OK " + node.getKind() + " " + escape(node.toSqlString(dialect).getSql()));
            } catch (SqlParseException e) {
                SqlParserPos pos = e.getPos();
                String at = pos == null ? "-" : pos.getLineNum() + ":" + pos.getColumnNum() + "-" + pos.getEndLineNum() + ":"
                    + pos.getEndColumnNum();
                out.println("ERR " + at + " " + escape(String.valueOf(e.getMessage()).split("\n")[0]));
            }
        }
    }
}
